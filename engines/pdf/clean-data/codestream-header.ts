import type { CodestreamSegment } from '../images/jp2-codestream'

/** Markers of segments that a decoder needs (ISO/IEC 15444-1, annex A, and 15444-15). */
const [CAP, SIZ, COD, COC, QCD, QCC, RGN, POC, PPM, PPT] = [
  ...[0xff50, 0xff51, 0xff52, 0xff53, 0xff5c, 0xff5d, 0xff5e, 0xff5f, 0xff60, 0xff61],
] as [number, number, number, number, number, number, number, number, number, number]

/** The marker and the length of a segment, and the fields of a coding style without precincts. */
const [HEAD, STYLE] = [4, 5]

/** Writes the headers of a codestream with only the fields that a decoder reads. */
export class CodestreamHeader {
  /** The number of bytes of a component's number. */
  private readonly wide: number
  private readonly components: number
  private levels = 0

  /** `segments` are the segments of the main header. */
  constructor(segments: readonly CodestreamSegment[]) {
    const size = segments.find(({ marker }) => marker === SIZ)?.bytes
    this.components = size && size.length >= HEAD + 36 ? size.readUInt16BE(HEAD + 34) : 0
    this.wide = this.components < 257 ? 1 : 2
  }

  /**
   * Returns the bytes of needed segments without bytes after their fields. Lengths of tiles, comments and others are
   * left out. Main headers come first, because tile-parts repeat their number of decompositions.
   */
  clean(segments: readonly CodestreamSegment[]): Buffer[] {
    for (const { marker, bytes } of segments) {
      const at = this.styleOf(marker)
      if (at !== undefined) this.levels = Math.max(this.levels, bytes[at] ?? 0)
    }
    return segments.flatMap(segment => {
      const length = this.lengthOf(segment)
      return length === undefined ? [] : [cut(segment.bytes, length)]
    })
  }

  /** Offset of the fields of a coding style, which begin with the number of decompositions. */
  private styleOf(marker: number): number | undefined {
    if (marker === COD) return HEAD + 5
    return marker === COC ? HEAD + this.wide + 1 : undefined
  }

  /** The length of a segment with its marker. Undefined if no decoder needs it. */
  private lengthOf({ marker, bytes }: CodestreamSegment): number | undefined {
    switch (marker) {
      case SIZ:
        return HEAD + 36 + 3 * this.components
      case COD:
      case COC: {
        const at = this.styleOf(marker) ?? 0
        const hasPrecincts = ((bytes[marker === COD ? HEAD : at - 1] ?? 0) & 1) === 1
        return at + STYLE + (hasPrecincts ? (bytes[at] ?? 0) + 1 : 0)
      }
      case QCD:
        return HEAD + this.lengthOfSteps(bytes[HEAD] ?? 0)
      case QCC:
        return HEAD + this.wide + this.lengthOfSteps(bytes[HEAD + this.wide] ?? 0)
      case RGN:
        return HEAD + this.wide + 2
      case POC:
        return bytes.length - ((bytes.length - HEAD) % (5 + 2 * this.wide))
      case CAP:
        return HEAD + 4 + 2 * Array.from(bytes.subarray(HEAD, HEAD + 4), countBits).reduce((sum, one) => sum + one, 0)
      case PPM:
      case PPT:
        return bytes.length
      default:
        return undefined
    }
  }

  /** The length of quantization steps, by their style (15444-1, A.6.4). */
  private lengthOfSteps(style: number): number {
    const bands = 3 * this.levels + 1
    return 1 + ([bands, 2, 2 * bands][style & 31] ?? Infinity)
  }
}

function cut(bytes: Buffer, length: number): Buffer {
  if (length >= bytes.length) return bytes
  const written = Buffer.from(bytes.subarray(0, length))
  written.writeUInt16BE(length - 2, 2)
  return written
}

function countBits(byte: number): number {
  return byte.toString(2).replaceAll('0', '').length
}
