import { FileSystemUnderTest } from './fileSystemUnderTest';
import { exerciseQueue } from './queueConformance';

exerciseQueue('A queue in a file', (clock, machine) => FileSystemUnderTest.open(clock, machine));
