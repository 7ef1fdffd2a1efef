/** Where the text of a code comes from. */
export type TextSource = 'to-unicode' | 'glyph-name' | 'encoding' | 'collection' | 'program'

/** What a code stands for. The text has no control characters, no U+FFFD and no lone surrogates, and isn't empty. */
export interface CodeText {
  text: string
  source: TextSource
}

/** Reads what the codes of a font mean. */
export interface CodeTexts {
  /** Returns the text of a code with this length in bytes. Undefined if nothing tells it for certain. */
  of(code: number, length: number): CodeText | undefined
}

/** Returns a text with spaces for tabs and line ends and without control characters. Undefined if nothing is left. */
export function toCodeText(text: string | undefined, source: TextSource): CodeText | undefined {
  const readable = text?.replace(/[\t\n\r]+/g, ' ').replace(/[\p{Cc}\p{Cs}\ufffd-\uffff]/gu, '') ?? ''
  return readable === '' ? undefined : { text: readable, source }
}
