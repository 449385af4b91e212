import { FileSubject } from './fileSubject';
import { exerciseQueue } from './queueConformance';

exerciseQueue('A queue in a file', (clock, machine) => FileSubject.open(clock, machine));
