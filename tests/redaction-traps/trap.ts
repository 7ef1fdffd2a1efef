import { createHash } from 'node:crypto'

/** A judge that can find a secret in a file. */
export type Witness = 'bytes' | 'pdfium' | 'pdfjs' | 'pixels' | 'glyphs' | 'recognition'

/** A rectangle on a page, in points from the lower-left corner. */
export interface PageArea {
  x: number
  y: number
  width: number
  height: number
}

/** A file with a secret, and the requirements for its redaction. */
export interface RedactionTrap {
  file: Buffer
  /** Options for `pdf-redaction`. */
  options: object
  /** Texts that must be removed. At least one judge finds each of them in the original file. */
  gone: string[]
  /** Texts that must stay. PDFium and PDF.js find each of them in the original file. */
  stays: string[]
  /** Judges that find the secret in the original file, in the way that the trap claims. */
  seenBy: Witness[]
  /** An area of page 1 that must look uniform, also if the boxes are removed from the page. */
  pixels?: PageArea
  /** Outlines that only the secret shows, as `outlineKey` writes them. No font may contain them afterwards. */
  outlines?: string[]
  /** Whether glyphs and codes are numbered in text order, so that a gap reveals a removed letter. */
  isDense?: boolean
  /** For text that can't be searched: the trap passes if the response doesn't claim to be verified. */
  mayBeUnverified?: boolean
}

/** A way in which a file can contain a secret. */
export interface Construction {
  name: string
  /** The first variant is 0. */
  variants: number
  /** Recognition makes the traps slow, and another construction of the group finds the same faults. */
  isSlow?: boolean
  make(secret: string, variant: number): RedactionTrap | Promise<RedactionTrap>
}

/** Constructions of one kind. `cause` describes what the traps contain. */
export interface TrapGroup {
  name: string
  cause: string
  constructions: Construction[]
}

/** A word of 12 capital letters derived from the names of a construction and its variant. */
export function makeSecret(construction: string, variant: number): string {
  const digest = createHash('sha256').update(`${construction}/${variant}`).digest()
  return Array.from(digest.subarray(0, 12), byte => String.fromCharCode(65 + (byte % 26))).join('')
}
