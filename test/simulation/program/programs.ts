// Takes the place of src/platform/processes/programs in the simulated program: the machine has no programs but these.

/** Runs the user's `notify` command. Set by the process's host. */
let notify: (args: readonly string[], input: string) => Promise<string | null> = () => Promise.resolve(null);

/** Sets what the user's `notify` command does. */
export function setNotify(run: typeof notify): void {
  notify = run;
}

/** Runs a program of the user, as the module whose place this one takes. */
export function runBounded(
  _program: string,
  args: readonly string[],
  { input }: { readonly input: string },
): Promise<string | null> {
  return notify(args, input);
}
