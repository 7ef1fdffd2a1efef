import { ContentReader, HEX, LITERAL, NUMBER } from '../../../pdf/syntax'
import { readString } from '../../../pdf/fonts'

/** What a CMap file says about itself (Adobe Technical Note 5014). */
export interface CMapFile {
  /** 0 for horizontal writing, 1 for vertical writing. */
  writingMode: number
  highestCid: number
}

/** Reads an embedded CMap file without the CMaps that it refers to. */
export function readCMapFile(bytes: Uint8Array): CMapFile {
  const reader = new ContentReader(bytes)
  const file: CMapFile = { writingMode: 0, highestCid: 0 }
  while (reader.next()) {
    const { operator, operands } = reader
    if (operator === 'def' && reader.nameAt(operands.count - 2) === 'WMode') file.writingMode = reader.number(0)
    else if (operator === 'endcidrange') noteCids(file, reader, 3)
    else if (operator === 'endcidchar') noteCids(file, reader, 2)
  }
  return file
}

/** Each row has one or two codes and a CID. */
function noteCids(file: CMapFile, reader: ContentReader, columns: 2 | 3): void {
  const { kinds, values, count } = reader.operands
  for (let at = 0; at + columns <= count; at += columns) {
    if (kinds[at + columns - 1] !== NUMBER) continue
    const codes = columns === 3 ? codeAt(reader, at + 1) - codeAt(reader, at) : 0
    file.highestCid = Math.max(file.highestCid, (values[at + columns - 1] ?? 0) + codes)
  }
}

function codeAt({ bytes, operands }: ContentReader, index: number): number {
  const { kinds, starts, ends } = operands
  const kind = kinds[index]
  if (kind !== HEX && kind !== LITERAL) return 0
  return readString(bytes, kind, starts[index] ?? 0, ends[index] ?? 0).reduce((code, byte) => code * 256 + byte, 0)
}
