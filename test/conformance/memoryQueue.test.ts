import { openMemory } from './memorySystemUnderTest';
import { exerciseQueue } from './queueConformance';

exerciseQueue('A queue in memory', openMemory);
