// Pages of rules: the server gives them as Markdown, VS Code's own preview shows them.
import * as vscode from 'vscode';
import { Session } from './session';
import { findingsAt } from './text';

interface Explanation {
  name: string | null;
  markdown: string;
  path?: string;
  line?: number;
}

const scheme = 'pallas-lsp';

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly onDidChange = this.changed.event;

  constructor(private readonly session: Session) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  /** Shows the page of the finding under the cursor, or asks which when there are several. */
  async explainHere(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      return;
    }
    const findings = vscode.languages.getDiagnostics(editor.document.uri).map((one) => ({ source: one.source, code: one.code, start: one.range.start, end: one.range.end }));
    const names = findingsAt(findings, editor.selection.active);
    const name = names.length > 1 ? await vscode.window.showQuickPick(names, { title: 'Explain which finding?' }) : names[0];
    if (name !== undefined) {
      await this.showRule(name);
    } else if (names.length === 0) {
      void vscode.window.showInformationMessage('There is no finding of pallas-lsp on this line.');
    }
  }

  private async showRule(name: string): Promise<void> {
    const page = await this.session.ask<Explanation>('explain', { name });
    if (page === undefined) {
      this.noAnswer();
      return;
    }
    await this.show(`${name}.md`, page.markdown);
  }

  /** Explains an error or a whole traceback: the selected text, else what the clipboard holds. */
  async explainError(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection) ?? '';
    const text = selected.trim() !== '' ? selected : await vscode.env.clipboard.readText();
    if (text.trim() === '') {
      void vscode.window.showInformationMessage('Copy the error or the whole traceback first, or select it, then run this again.');
      return;
    }
    const page = await this.session.ask<Explanation>('explain', { text });
    if (page === undefined) {
      this.noAnswer();
      return;
    }
    await this.reveal(page);
    await this.show('Explained error.md', page.markdown);
  }

  /** Goes to the author's line when it is in a file of this workspace. */
  private async reveal(page: Explanation): Promise<void> {
    if (page.path === undefined || page.line === undefined) {
      return;
    }
    const file = vscode.Uri.file(page.path);
    if (vscode.workspace.getWorkspaceFolder(file) === undefined) {
      return;
    }
    try {
      const at = new vscode.Position(page.line - 1, 0);
      await vscode.window.showTextDocument(file, { selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.One });
    } catch {
      this.session.log.appendLine(`${page.path} could not be opened`); // it may be gone; the page is shown all the same
    }
  }

  private async show(name: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.texts.set(uri.path, markdown);
    this.changed.fire(uri);
    try {
      await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
    } catch {
      await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: true }); // the preview may be disabled
    }
  }

  private noAnswer(): void {
    void vscode.window.showWarningMessage('pallas-lsp gave no answer: it does not run here, or is older than this extension. The log says more.');
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
