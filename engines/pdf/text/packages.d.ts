// Types of packages that come without types. Only the parts that Sheaf uses are declared.

/** The Unicode bidirectional algorithm (UAX #9). All indexes count UTF-16 code units. */
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
    /** Returns the next position at which a line may or must end. Null at the end of the text. */
    nextBreak(): { position: number; required: boolean } | null
  }
}
