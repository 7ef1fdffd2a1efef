import type { PDFName } from 'pdf-lib'

/** The text of a name, with one character for each byte (ISO 32000-2, 7.3.5). Few names have a `#` to decode. */
export function nameText(name: PDFName): string {
  const written = name.asString()
  return written.includes('#') ? name.decodeText() : written.slice(1)
}
