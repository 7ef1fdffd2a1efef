import type { Worker as Thread } from 'node:worker_threads'
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

/** Documents that one thread may read: what Tesseract holds grows. */
const MOST_USES = 25

/** The thread that waits for the next document in the same languages: its code is compiled, which takes as long as reading a page. */
let spare: Recogniser | undefined

/**
 * Reads text in pictures, in a thread of its own that can be ended at any point. Tesseract may learn from what it reads:
 * take one for every document, which begins anew, and release it.
 */
export class Recogniser {
  private useCount = 0

  private constructor(private readonly worker: Worker, private readonly failed: Promise<never>, private readonly languages: string) {}

  /** Throws EngineError `internal` when it can't be started. */
  static async start(settings: RecogniserSettings): Promise<Recogniser> {
    const { default: tesseract } = await import('tesseract.js')
    const recogniser = (await takeSpare(settings.languages)) ?? (await Recogniser.create(settings.languages))
    recogniser.useCount++
    const { whitelist } = settings
    // Unset, this mode reads two columns as one: 57 % wrong characters in place of 0.04.
    await recogniser.worker.setParameters({ tessedit_pageseg_mode: tesseract.PSM.AUTO, ...(whitelist ? { tessedit_char_whitelist: whitelist } : {}) })
    return recogniser
  }

  private static async create(languages: readonly string[]): Promise<Recogniser> {
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
    return new Recogniser(worker, failureOf(worker), languages.join('+'))
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

  /** Gives it back when a document is read: one of them waits for the next document, the others end. */
  async release(): Promise<void> {
    if (spare || this.useCount >= MOST_USES) return this.close()
    threadOf(this.worker).unref() // one that waits shall not keep the process
    keepSpare(this)
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  /** Whether it reads these languages; what it learned is forgotten then. */
  async renew(languages: readonly string[]): Promise<boolean> {
    if (languages.join('+') !== this.languages) return false
    threadOf(this.worker).ref()
    const renewing = Promise.race([this.worker.reinitialize(this.languages, LSTM_ONLY), this.failed])
    return limit(renewing, START_LIMIT_MS, () => new EngineError('internal', 'Text recognition could not be started.')).then(
      () => true,
      () => false, // a new one is started in its place
    )
  }
}

function keepSpare(recogniser: Recogniser): void {
  spare = recogniser
}

async function takeSpare(languages: readonly string[]): Promise<Recogniser | undefined> {
  const taken = spare
  spare = undefined
  if (!taken || (await taken.renew(languages))) return taken
  await taken.close()
  return undefined
}

/** Rejects when the thread breaks, which the promise of its work would not tell. */
function failureOf(worker: Worker): Promise<never> {
  const failed = new Promise<never>((_, reject) => threadOf(worker).once('error', reject))
  failed.catch(() => undefined) // told to whoever waits for a picture; nobody may
  return failed
}

function threadOf(worker: Worker): Thread {
  return (worker as unknown as { worker: Thread }).worker // it has one, which the type leaves out
}

async function limit<Result>(work: Promise<Result>, limitMs: number, describe: () => EngineError): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([work, new Promise<never>((_, reject) => (timer = setTimeout(() => reject(describe()), limitMs)))])
  } finally {
    clearTimeout(timer)
  }
}
