// What the picture's panel is made of, apart from VS Code.

/** The page: no network, no script but its own. */
export function pictureHtml(nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<style>
  body { padding: 8px; }
  svg { max-width: 100%; height: auto; }
  [data-line] { cursor: pointer; }
</style>
</head>
<body>
<div id="picture"></div>
<script nonce="${nonce}">
  const vscode = acquireVsCodeApi();
  const picture = document.getElementById('picture');
  addEventListener('message', ({ data }) => {
    if (data.svg === undefined) {
      picture.textContent = data.text;
      return;
    }
    const svg = new DOMParser().parseFromString(data.svg, 'image/svg+xml').documentElement;
    picture.replaceChildren(document.importNode(svg, true));
  });
  picture.addEventListener('click', ({ target }) => {
    const part = target.closest('[data-line]');
    if (part) {
      vscode.postMessage({ line: Number(part.dataset.line), path: part.dataset.path });
    }
  });
  vscode.postMessage('ready');
</script>
</body>
</html>`;
}

export interface Target {
  line: number;
  path?: string;
}

/** The place in a message of the panel; undefined when it is no place. */
export function placeOf(message: unknown): Target | undefined {
  if (typeof message !== 'object' || message === null) {
    return undefined;
  }
  const { line, path } = message as { line?: unknown; path?: unknown };
  if (typeof line !== 'number' || !Number.isInteger(line) || line < 1) {
    return undefined;
  }
  return typeof path === 'string' && path !== '' ? { line, path } : { line };
}
