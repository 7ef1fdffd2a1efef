// Packages that come without types, as far as they are used here.

/** The Unicode bidirectional algorithm (UAX #9); every index counts UTF-16 units. */
declare module 'bidi-js' {
  interface EmbeddingLevels {
    levels: Uint8Array
    paragraphs: { start: number; end: number; level: number }[]
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels
    getMirroredCharactersMap(text: string, levels: Uint8Array): Map<number, string>
    getReorderSegments(text: string, levels: EmbeddingLevels): [start: number, end: number][]
  }
  export default function createBidi(): Bidi
}

/** The Unicode line breaking algorithm (UAX #14). */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    /** The next place where a line may end, or must. */
    nextBreak(): { position: number; required: boolean } | null
  }
}
