import { Worker } from 'node:worker_threads'
import tesseract from 'tesseract.js'
import { EngineError } from '../../errors'
import { writePgm } from '../image/gray-image'
import type { GrayImage } from '../image/gray-image'
import { findModel } from './languages'
import { compileCore } from './recognizer-core'
import type { Recognition } from './recognition'
import { WORKER_PROGRAM } from './worker-program'
import type { WorkerResponse, WorkerRequest } from './worker-program'
import { limitWork } from './work-time-limit'

/** How a recognizer is set up. */
export interface RecognizerSettings {
  /** Installed ones, the most important first. */
  languages: readonly string[]
  /** Folder of models besides those of packages; none when missing. */
  languagesFolder?: string | undefined
  /** The only characters that may be read; all when empty. */
  whitelist: string
}

/** Unset, two columns are read as one: 57 % wrong characters in place of 0.04. */
const AUTOMATIC_LAYOUT = tesseract.PSM.AUTO

/** Pixels an inch below which Tesseract takes what it is told for a mistake. */
const LEAST_DPI = 70

const START_LIMIT_MS = 20_000

/** Documents that one thread may read: what Tesseract holds grows. */
const MOST_USES = 25

/** The thread that waits for the next document: starting one takes a fifth of the time of a letter. */
let spare: Recognizer | undefined

/**
 * Reads text in pictures, in a thread of its own that can be ended at any point. Tesseract may learn from what it
 * reads: take one for every document, which begins anew, and release it.
 */
export class Recognizer {
  private useCount = 0
  private waiting: { resolve: (response: WorkerResponse) => void; reject: (reason: unknown) => void } | undefined

  private constructor(private readonly thread: Worker) {
    thread.on('message', (response: WorkerResponse) => {
      if (response.problem === undefined) this.waiting?.resolve(response)
      else this.waiting?.reject(new Error(response.problem))
    })
    thread.on('error', error => this.waiting?.reject(error))
    thread.on('exit', () => this.waiting?.reject(new Error('the thread has ended')))
  }

  /** Throws EngineError `internal` when it can't be started. */
  static async start(settings: RecognizerSettings): Promise<Recognizer> {
    const taken = takeSpare()
    if (taken) {
      try {
        await taken.begin(settings)
        return taken
      } catch {
        // It has closed itself; a new one is started in its place.
      }
    }
    const recognizer = new Recognizer(await startThread())
    await recognizer.begin(settings)
    return recognizer
  }

  /**
   * Reads a picture of this many pixels an inch, and tells how it lies when what is read has less mean confidence than
   * `orientsBelow` (0 to 100; 0 when missing). Throws EngineError `timed-out` after `limitMs` of work, `internal` when
   * the recognizer broke; it is closed then.
   */
  async recognize(
    image: GrayImage,
    {
      dpi,
      levels,
      limitMs,
      orientsBelow = 0,
    }: { dpi: number; levels: boolean; limitMs: number; orientsBelow?: number },
  ): Promise<Recognition> {
    const reading = this.ask({
      kind: 'read',
      image: writePgm(image),
      dpi: Math.round(Math.max(LEAST_DPI, dpi)),
      levels,
      orientsBelow,
    })
    try {
      const { result, workMs } = await limitWork(reading, limitMs)
      return { blocks: result.blocks ?? [], angle: result.angle ?? 0, quarters: result.quarters, workMs }
    } catch (error) {
      await this.close()
      if (error instanceof EngineError) throw error
      throw new EngineError('internal', 'Text recognition failed.', { cause: error })
    }
  }

  /** Gives it back when a document is read: one of them waits for the next document, the others end. */
  async release(): Promise<void> {
    if (spare || this.useCount >= MOST_USES) return this.close()
    this.thread.unref() // one that waits shall not keep the process
    keepSpare(this)
  }

  async close(): Promise<void> {
    this.waiting = undefined // what it was asked for is given up
    await this.thread.terminate()
  }

  /** Makes it read these languages and forget what it learned. */
  private async begin({ languages, languagesFolder, whitelist }: RecognizerSettings): Promise<void> {
    this.useCount++
    this.thread.ref()
    const variables = {
      tessedit_pageseg_mode: AUTOMATIC_LAYOUT,
      ...(whitelist ? { tessedit_char_whitelist: whitelist } : {}),
    }
    let timer: NodeJS.Timeout | undefined
    try {
      const models = languages.map(language => ({ language, path: findModel(language, languagesFolder) }))
      const late = new Promise<never>(
        (_, reject) => (timer = setTimeout(() => reject(new Error('it did not start in time')), START_LIMIT_MS)),
      )
      await Promise.race([this.ask({ kind: 'begin', models, variables }), late])
    } catch (error) {
      await this.close()
      throw new EngineError('internal', 'Text recognition could not be started.', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  private ask(request: WorkerRequest): Promise<WorkerResponse> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.thread.postMessage(request, request.kind === 'read' ? [request.image.buffer] : [])
    })
  }
}

async function startThread(): Promise<Worker> {
  try {
    return new Worker(WORKER_PROGRAM, { eval: true, env: {}, workerData: await compileCore() })
  } catch (error) {
    throw new EngineError('internal', 'Text recognition could not be started.', { cause: error })
  }
}

function keepSpare(recognizer: Recognizer): void {
  spare = recognizer
}

function takeSpare(): Recognizer | undefined {
  const taken = spare
  spare = undefined
  return taken
}
