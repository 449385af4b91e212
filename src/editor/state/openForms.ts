import type { Attachment } from '../form/attachments';

/** Form of a task in a tab of the editor. */
export interface OpenForm {
  /** Shows the form, and adds context to its prompt. */
  reveal(attachments: readonly Attachment[]): void;
  dispose(): void;
}

/** Forms of tasks that are open in this window, by what they are for. They close with the queue that they write to. */
export class OpenForms {
  private readonly forms = new Map<string, OpenForm>();

  find(key: string): OpenForm | undefined {
    return this.forms.get(key);
  }

  add(key: string, form: OpenForm): void {
    this.forms.set(key, form);
  }

  remove(key: string): void {
    this.forms.delete(key);
  }

  dispose(): void {
    for (const form of [...this.forms.values()]) form.dispose();
  }
}
