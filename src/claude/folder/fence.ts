/** A text set off from what is said around it; whatever it holds, it cannot end the fence. */
export function fence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}\n${text}\n${mark}`;
}
