import type { Worker } from 'tesseract.js'
import { EngineError } from '../errors'
import { writePgm } from './grey-picture'
import type { GreyPicture } from './grey-picture'
import { withModels } from './languages'
import { limitWork } from './work-limit'

/** What the recogniser has to say of a picture; places are pixels from the upper-left corner of the picture turned by `angle`. */
export interface Recognition {
  blocks: RecognisedBlock[]
  /** Radians clockwise by which the picture was turned around its centre to make its lines level. */
  angle: number
  /** Milliseconds that it took, without those in which other processes had the processor. */
  workMs: number
}

interface PixelBox {
  x0: number
  y0: number
  x1: number
  y1: number
}

interface RecognisedWord {
  text: string
  confidence: number
  bbox: PixelBox
}

interface RecognisedLine {
  words: RecognisedWord[]
  baseline: PixelBox
  bbox: PixelBox
  rowAttributes: { rowHeight: number }
}

interface RecognisedBlock {
  paragraphs: { lines: RecognisedLine[] }[]
}

/** How a recogniser is set up. */
export interface RecogniserSettings {
  /** Installed ones, the most important first. */
  languages: readonly string[]
  /** The only characters that may be read; all when empty. */
  whitelist: string
}

/** Only the newer kind of recogniser (LSTM); its models are the ones that are installed. */
const LSTM_ONLY = 1

const START_LIMIT_MS = 20_000

/**
 * Reads text in pictures, in a thread of its own that can be ended at any point. Tesseract may learn from what it reads:
 * take a new one for every document. Close it.
 */
export class Recogniser {
  private constructor(private readonly worker: Worker, private readonly failed: Promise<never>) {}

  /** Throws EngineError `internal` when it can't be started. */
  static async start({ languages, whitelist }: RecogniserSettings): Promise<Recogniser> {
    const { default: tesseract } = await import('tesseract.js')
    const starting = withModels(languages, langPath =>
      tesseract.createWorker([...languages], LSTM_ONLY, {
        langPath,
        gzip: true,
        cacheMethod: 'none', // nothing is downloaded, and nothing is written into the working directory
        errorHandler: () => undefined, // what fails rejects its promise; without a handler it would be thrown outside of it too
      }),
    )
    const worker = await limit(starting, START_LIMIT_MS, () => {
      void starting.then(late => late.terminate())
      return new EngineError('internal', 'Text recognition could not be started.')
    })
    // Unset, this mode reads two columns as one: 57 % wrong characters in place of 0.04.
    await worker.setParameters({ tessedit_pageseg_mode: tesseract.PSM.AUTO, ...(whitelist ? { tessedit_char_whitelist: whitelist } : {}) })
    return new Recogniser(worker, failureOf(worker))
  }

  /**
   * Reads a picture of this many pixels an inch. Throws EngineError `timed-out` after `limitMs` of work, `internal` when
   * the recogniser broke; it is closed then.
   */
  async recognise(picture: GreyPicture, { dpi, levels, limitMs }: { dpi: number; levels: boolean; limitMs: number }): Promise<Recognition> {
    const options = { rotateAuto: levels, user_defined_dpi: String(Math.round(Math.max(70, dpi))) }
    // Bytes, never a text: that would be taken for an address or a path.
    const reading = this.worker.recognize(Buffer.from(writePgm(picture).buffer), options, { text: false, blocks: true })
    try {
      const { result, workMs } = await limitWork(Promise.race([reading, this.failed]), limitMs)
      const { data } = result
      return { blocks: data.blocks ?? [], angle: (data as { rotateRadians?: number }).rotateRadians ?? 0, workMs } // given by `recognize`, missing in its type
    } catch (error) {
      await this.close()
      if (error instanceof EngineError) throw error
      throw new EngineError('internal', 'Text recognition failed.', { cause: error })
    }
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }
}

/** Rejects when the thread breaks, which the promise of its work would not tell. */
function failureOf(worker: Worker): Promise<never> {
  const thread = (worker as unknown as { worker: NodeJS.EventEmitter }).worker // a thread of node, which the type leaves out
  const failed = new Promise<never>((_, reject) => thread.once('error', reject))
  failed.catch(() => undefined) // told to whoever waits for a picture; nobody may
  return failed
}

async function limit<Result>(work: Promise<Result>, limitMs: number, describe: () => EngineError): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([work, new Promise<never>((_, reject) => (timer = setTimeout(() => reject(describe()), limitMs)))])
  } finally {
    clearTimeout(timer)
  }
}
