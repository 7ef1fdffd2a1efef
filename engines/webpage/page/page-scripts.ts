import type { Page } from 'puppeteer'

/** Adds the scripts that run in every document of a page, before its own scripts. */
export async function addPageScripts(page: Page): Promise<void> {
  await Promise.all([page.evaluateOnNewDocument(silence), page.evaluateOnNewDocument(useExactGlyphPositions)])
}

/**
 * Places glyphs at exact positions. Otherwise they are placed at whole screen pixels, which distorts words in print.
 */
export function useExactGlyphPositions(): void {
  const sheet = new CSSStyleSheet()
  sheet.insertRule('* { text-rendering: geometricPrecision !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/**
 * Disables dialogs, windows and the console. Nobody sees windows, and every console message would be sent to this
 * process.
 */
function silence(): void {
  const ignore = () => undefined
  for (const name of Object.keys(console))
    if (typeof Reflect.get(console, name) === 'function') Reflect.set(console, name, ignore)
  window.open = () => null
  window.print = () => undefined
}
