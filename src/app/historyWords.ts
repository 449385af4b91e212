/** What a reset has done, for people. */
export function describePutAway(archive: string): string {
  const stays = 'Holds, due times, the budget, sessions and what awaits your eye stay as they are';
  return `Attempts, logs and outputs are now in ${archive}. ${stays}.`;
}
