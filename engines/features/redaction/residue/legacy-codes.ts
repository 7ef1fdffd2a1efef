import { LEGACY_ENCODINGS } from '../matching/byte-texts'

/** The number of bytes with which characters of East Asian encodings begin or go on. */
const BYTES = 256

const LINE_END = 10

let tables: ReadonlyMap<string, ReadonlyMap<string, Buffer>> | undefined

/** The bytes of each character in an encoding, by encoding. Characters of one and of two bytes. */
function codesOf(): ReadonlyMap<string, ReadonlyMap<string, Buffer>> {
  return (tables ??= new Map(LEGACY_ENCODINGS.map(encoding => [encoding, readCodes(encoding)])))
}

function readCodes(encoding: string): Map<string, Buffer> {
  const codes: Buffer[] = []
  for (let first = 0x20; first < BYTES; first++) codes.push(Buffer.from([first]))
  for (let first = 0x80; first < BYTES; first++)
    for (let second = 0x30; second < BYTES; second++) codes.push(Buffer.from([first, second]))
  const lineEnd = Buffer.from([LINE_END])
  const lines = new TextDecoder(encoding).decode(Buffer.concat(codes.flatMap(code => [code, lineEnd]))).split('\n')
  const table = new Map<string, Buffer>()
  for (const [index, code] of codes.entries()) {
    const characters = Array.from(lines[index] ?? '')
    const [character = '', ...rest] = characters
    if (rest.length === 0 && character !== '\ufffd' && !table.has(character)) table.set(character, code)
  }
  return table
}

/** Returns the bytes of a text in each legacy encoding that has all its characters, without duplicates. */
export function spellInLegacy(text: string): Buffer[] {
  const found = new Map<string, Buffer>()
  for (const codes of codesOf().values()) {
    const bytes = Array.from(text, character => codes.get(character))
    if (bytes.includes(undefined)) continue
    const spelled = Buffer.concat(bytes as Buffer[]) // No character is missing here.
    found.set(spelled.toString('hex'), spelled)
  }
  return [...found.values()]
}

/** Decodes bytes in each legacy encoding. */
export function decodeInLegacy(bytes: Uint8Array): string[] {
  return LEGACY_ENCODINGS.map(encoding => new TextDecoder(encoding).decode(bytes))
}
