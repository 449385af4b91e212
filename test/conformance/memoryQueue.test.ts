import { openMemory } from './memorySubject';
import { exerciseQueue } from './queueConformance';

exerciseQueue('A queue in memory', openMemory);
