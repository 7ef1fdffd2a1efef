/** Codes of runs (ITU-T T.4, tables 2 and 3a) as bits: for 0 to 63 pixels, then for 64, 128 and so on up to 1728. */
const WHITE = `00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011
0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010
00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101
00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010
01011011 01001010 01001011 00110010 00110011 00110100 11011 10010 010111 0110111 00110110 00110111 01100100 01100101
01101000 01100111 011001100 011001101 011010010 011010011 011010100 011010101 011010110 011010111 011011000
011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011`

const BLACK = `0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000
0000010111 0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000
000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010
000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011
000001010100 000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100
000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010
000001100110 000001100111 0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101
0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011
0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101
0000001011010 0000001011011 0000001100100 0000001100101`

/** Codes of runs of 1792 to 2560 pixels, for either color (table 3b). */
const LONG = `00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110
000000010111 000000011100 000000011101 000000011110 000000011111`

/** Codes of two-dimensional coding (ITU-T T.4, table 4): pass, horizontal, and vertical by -3 to 3 pixels. */
const MODES = '0001 001 0000010 000010 010 1 011 000011 0000011'

/** Longest run with a code of its own. Longer runs need several codes. */
export const LONGEST_RUN = 2560

/** Codes for this many pixels or more stand for multiples of it (make-up codes). Another code must follow. */
export const MAKE_UP = 64

/** The number of the pass mode: the row above has a run that this row doesn't have. */
export const PASS = 0

/** The number of the horizontal mode: two runs follow. */
export const HORIZONTAL = 1

/** The number of the vertical mode for a change directly below one in the row above. Its neighbors have an offset. */
export const VERTICAL = 5

/** Length of the longest code of a run, in bits. */
export const RUN_BITS = 13

/** Length of the longest code of a mode, in bits. */
export const MODE_BITS = 7

/**
 * Codes by the next bits. The lower four bits are the length of the code, the others its value. 0 if no code begins
 * with these bits.
 */
type CodeTable = Uint16Array

/** The bits of a code, and their number. */
export interface CcittCode {
  bits: number
  length: number
}

/** Codes of runs, by color (0 is white) and `runIndex`. */
export const RUN_CODES: readonly [CcittCode[], CcittCode[]] = [listRuns(WHITE), listRuns(BLACK)]

/** Codes of modes, by number. */
export const MODE_CODES: readonly CcittCode[] = parseCodes(MODES)

/** Tables for reading codes of runs, by color. */
export const RUN_TABLES: readonly [CodeTable, CodeTable] = [
  makeTable(RUN_CODES[0], RUN_BITS),
  makeTable(RUN_CODES[1], RUN_BITS),
]

/** Table for reading codes of modes. */
export const MODE_TABLE: CodeTable = makeTable(MODE_CODES, MODE_BITS)

/** The index of the code for a run of up to 63 pixels, or of a multiple of 64 up to 2560. */
export function runIndex(pixels: number): number {
  return pixels < MAKE_UP ? pixels : MAKE_UP - 1 + pixels / MAKE_UP
}

/** The number of pixels for an index in `RUN_CODES`. */
export function runLength(index: number): number {
  return index < MAKE_UP ? index : (index - MAKE_UP + 1) * MAKE_UP
}

function listRuns(codes: string): CcittCode[] {
  return [...parseCodes(codes), ...parseCodes(LONG)]
}

/** Parses codes that are written as binary digits, separated by spaces. */
function parseCodes(codes: string): CcittCode[] {
  return codes.split(/\s+/).map(bits => ({ bits: Number.parseInt(bits, 2), length: bits.length }))
}

function makeTable(codes: readonly CcittCode[], tableBits: number): CodeTable {
  const table = new Uint16Array(2 ** tableBits)
  for (const [value, { bits, length }] of codes.entries()) {
    const shift = tableBits - length
    table.fill((value << 4) | length, bits << shift, (bits + 1) << shift)
  }
  return table
}
