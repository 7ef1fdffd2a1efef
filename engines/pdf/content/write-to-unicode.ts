import { codeOfKey, writeCode } from './code-keys'

/** Maximum number of mappings in one block (Adobe Technical Note 5014). */
const BLOCK = 100

/** Writes a ToUnicode CMap (ISO 32000-2, 9.10.3) that maps code keys to texts, in the given order. */
export function writeToUnicode(texts: Iterable<readonly [key: number, text: string]>): Uint8Array {
  const lengths = new Set<number>()
  const rows = Array.from(texts, ([key, text]) => {
    const { code, length } = codeOfKey(key)
    lengths.add(length)
    return `<${writeCode(code, length)}> <${writeUtf16(text)}>`
  })
  const spaces = lengths.size === 0 ? [1] : [...lengths].sort((one, other) => one - other)
  const lines = [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    `${spaces.length} begincodespacerange`,
    ...spaces.map(length => `<${'00'.repeat(length)}> <${'FF'.repeat(length)}>`),
    'endcodespacerange',
    ...writeBlocks(rows),
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
    '',
  ]
  return Buffer.from(lines.join('\n'), 'latin1')
}

function writeBlocks(rows: readonly string[]): string[] {
  const blocks: string[] = []
  for (let at = 0; at < rows.length; at += BLOCK) {
    const block = rows.slice(at, at + BLOCK)
    blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar')
  }
  return blocks
}

/** A text in UTF-16BE as hexadecimal digits. */
function writeUtf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
}
