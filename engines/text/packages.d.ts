// Packages that come without types, as far as they are used here.

/** The compiled decoder of wawoff2 2.0.1. */
declare module 'wawoff2/build/decompress_binding.js' {
  const binding: {
    calledRun?: boolean
    onRuntimeInitialized?: () => void
    /** A view of the decoder's own memory, or false. */
    decompress(file: Uint8Array): Uint8Array | false
  }
  export default binding
}

/** The Unicode bidirectional algorithm (UAX #9); every index counts UTF-16 units. */
declare module 'bidi-js' {
  interface EmbeddingLevels {
    levels: Uint8Array
    paragraphs: { start: number; end: number; level: number }[]
  }
  interface Bidi {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels
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
