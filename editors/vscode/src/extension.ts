import * as vscode from 'vscode';
import { Pages } from './pages';
import { PicturePanel } from './picture';
import { section, Session } from './session';
import { StatusItem } from './status';

let session: Session | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Pallas');
  const running = new Session(context, log);
  session = running;
  const status = new StatusItem(running);
  const pages = new Pages(running);
  const picture = new PicturePanel(running);
  context.subscriptions.push(
    log,
    running,
    status,
    pages,
    picture,
    vscode.commands.registerCommand('pallas-lsp.restart', () => running.restart()),
    vscode.commands.registerCommand('pallas-lsp.showLog', () => log.show()),
    vscode.commands.registerCommand('pallas-lsp.selectChip', () => status.selectChip()),
    vscode.commands.registerCommand('pallas-lsp.explainHere', () => pages.explainHere()),
    vscode.commands.registerCommand('pallas-lsp.explainError', () => pages.explainError()),
    vscode.commands.registerCommand('pallas-lsp.showPicture', () => picture.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${section}.path`) && running.health !== 'waiting') {
        void running.restart();
      }
    }),
  );
  running.startWhenNeeded();
}

export function deactivate(): Promise<void> | undefined {
  return session?.end();
}
