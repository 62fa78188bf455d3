// The panel with the picture of the kernel under the cursor. The server draws; the panel shows, follows the cursor and leads from
// the picture to the code.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { concernsUs, Session } from './session';
import { pictureHtml, placeOf } from './webview';

interface Picture {
  kernel: string;
  picture: string;
}

export class PicturePanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.Uri | undefined;
  private asking = false;
  private again = false;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly session: Session) {
    const follow = () => void this.refresh();
    this.subscriptions = [
      session.onDidChange(follow),
      vscode.window.onDidChangeActiveTextEditor(follow),
      vscode.window.onDidChangeTextEditorSelection(follow),
      vscode.languages.onDidChangeDiagnostics(follow), // after an edit, when the server has looked at it
    ];
  }

  async show(): Promise<void> {
    if (this.panel === undefined) {
      const panel = vscode.window.createWebviewPanel('pallas-lsp.picture', 'Kernel', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true });
      panel.onDidDispose(() => (this.panel = undefined));
      panel.webview.onDidReceiveMessage((message) => (message === 'ready' ? this.refresh() : this.go(message)));
      panel.webview.html = pictureHtml(randomBytes(16).toString('hex'));
      this.panel = panel;
    }
    this.panel.reveal(undefined, true);
    await this.refresh();
  }

  /** Draws anew; of several wishes while one picture is under way only the last is asked. */
  private async refresh(): Promise<void> {
    if (this.panel === undefined || this.asking) {
      this.again = this.asking;
      return;
    }
    this.asking = true;
    try {
      do {
        this.again = false;
        await this.draw();
      } while (this.again);
    } finally {
      this.asking = false;
    }
  }

  private async draw(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !concernsUs(editor.document)) {
      return; // the panel itself has the focus, or another file: what is shown stays
    }
    const position = { line: editor.selection.active.line, character: editor.selection.active.character };
    const picture = await this.session.ask<Picture | null>('picture', { textDocument: { uri: editor.document.uri.toString() }, position, format: 'svg' });
    if (this.panel === undefined) {
      return;
    }
    this.document = editor.document.uri;
    this.panel.title = picture ? `Kernel ${picture.kernel}` : 'Kernel';
    await this.panel.webview.postMessage(picture ? { svg: picture.picture } : { text: 'There is no kernel in this file, or the server does not run.' });
  }

  /** Goes to the line that a part of the picture stands for. */
  private async go(message: unknown): Promise<void> {
    const place = placeOf(message);
    if (place === undefined || this.document === undefined) {
      return;
    }
    const uri = place.path === undefined ? this.document : vscode.Uri.file(place.path);
    const at = new vscode.Position(place.line - 1, 0);
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
    try {
      await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at), viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One });
    } catch {
      this.session.log.appendLine(`${uri.fsPath} could not be opened`); // it may be gone
    }
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
    this.panel?.dispose();
  }
}
