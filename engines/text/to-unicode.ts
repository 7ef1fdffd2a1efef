/** Mappings of one block (Adobe Technical Note 5014). */
const BLOCK = 100

/** A ToUnicode CMap (ISO 32000-2, 9.10.3) for codes of two bytes: `texts` by code; an empty text is left out. */
export function writeToUnicode(texts: readonly string[]): Uint8Array {
  const rows = texts.flatMap((text, code) => (text === '' ? [] : [`<${hexOf(code)}> <${writeUtf16(text)}>`]))
  const blocks: string[] = []
  for (let at = 0; at < rows.length; at += BLOCK) {
    const block = rows.slice(at, at + BLOCK)
    blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar')
  }
  const lines = [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <FFFF>',
    'endcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
    '',
  ]
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** A code of two bytes as four hexadecimal digits. */
export function hexOf(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}

/** A text in UTF-16BE as hexadecimal digits. */
function writeUtf16(text: string): string {
  let hex = ''
  for (let at = 0; at < text.length; at++) hex += hexOf(text.charCodeAt(at))
  return hex
}
