import { FileSystemUnderTest } from './fileSubject';
import { exerciseQueue } from './queueConformance';

exerciseQueue('A queue in a file', (clock, machine) => FileSystemUnderTest.open(clock, machine));
