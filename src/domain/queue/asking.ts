/** Longest time between two questions of a worker that asks for tasks without a pause, in ms. A free one asks every 5 s. */
export const ASKS_EVERY_MS = 30_000;
