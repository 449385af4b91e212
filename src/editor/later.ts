/** Part of the extension, as `vscode.Disposable.from` takes it. */
interface Part {
  dispose(): unknown;
}

/**
 * Creates a part once it is due. Returns what disposes of it; one that was disposed of before it is due is not created.
 * `report` gets the error of a part that could not be created.
 */
export function createLater(
  due: Promise<unknown>,
  create: () => Promise<Part>,
  report: (error: unknown) => void,
): Part {
  let part: Part | null = null;
  const over = new AbortController();
  const isOver = (): boolean => over.signal.aborted;
  const start = async (): Promise<void> => {
    await due;
    if (isOver()) return;
    part = await create();
    // It may have been disposed of while its files were loaded.
    if (isOver()) part.dispose();
  };
  start().catch(report);
  return {
    dispose: () => {
      over.abort();
      part?.dispose();
    },
  };
}
