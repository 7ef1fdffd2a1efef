import { fileURLToPath } from 'node:url'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The folders with standard fonts and CMaps for PDF.js. PDF.js reads no text in a font that it can't load. */
const folder = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/pdfjs-dist/${name}/`, import.meta.url))

/** The text of each page of a PDF as PDF.js reads it: its text items in content order, with spaces between. */
export async function readPdfjsTexts(pdf: Uint8Array): Promise<string[]> {
  const task = getDocument({
    data: new Uint8Array(pdf),
    useSystemFonts: false,
    verbosity: 0,
    standardFontDataUrl: folder('standard_fonts'),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
  })
  const document = await task.promise
  try {
    const texts: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const { items } = await (await document.getPage(number)).getTextContent()
      texts.push(items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(' '))
    }
    return texts
  } finally {
    await task.destroy()
  }
}
