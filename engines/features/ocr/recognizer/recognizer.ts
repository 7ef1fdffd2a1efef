import { Worker } from 'node:worker_threads'
import tesseract from 'tesseract.js'
import { EngineError } from '../../../errors'
import { writePgm } from '../scans/gray-image'
import type { GrayImage } from '../scans/gray-image'
import { findModel } from './languages'
import { compileCore } from './tesseract-build'
import type { Recognition } from './recognition'
import { WORKER_PROGRAM } from './recognize-in-worker'
import type { WorkerResponse, WorkerRequest } from './recognize-in-worker'
import { limitWork } from './work-time-limit'

/** The settings of a recognizer. */
export interface RecognizerSettings {
  /** Installed languages, the most important first. */
  languages: readonly string[]
  /** A folder with additional models. */
  languagesFolder?: string | undefined
  /** The only characters that may be recognized. If empty, all characters may be. */
  whitelist: string
}

/** Without this mode, Tesseract reads two columns as one, with 57 % wrong characters instead of 0.04 %. */
const AUTOMATIC_LAYOUT = tesseract.PSM.AUTO

/** The resolution below which Tesseract ignores the given value as an error. */
const LEAST_DPI = 70

const START_LIMIT_MS = 20_000

/** The maximum number of documents per thread, because the memory of Tesseract grows. */
const MOST_USES = 25

/**
 * An idle thread for the next document. Starting a thread takes a fifth of the time for recognizing a one-page letter.
 */
let spare: Recognizer | undefined

/**
 * Recognizes text in images, in a separate thread that can be terminated at any time. Tesseract adapts to the text that
 * it reads. So start a recognizer for every document, which resets the adaptation, and release it afterwards.
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

  /** Starts a recognizer. Throws EngineError `internal` if it can't be started. */
  static async start(settings: RecognizerSettings): Promise<Recognizer> {
    const idleRecognizer = takeSpare()
    if (idleRecognizer) {
      try {
        await idleRecognizer.begin(settings)
        return idleRecognizer
      } catch {
        // The idle recognizer has closed itself. A new one is started below.
      }
    }
    const recognizer = new Recognizer(await startThread())
    await recognizer.begin(settings)
    return recognizer
  }

  /**
   * Recognizes an image with a resolution of `dpi`. Also detects the orientation if the mean confidence is below
   * `orientsBelow` (0 to 100). Throws EngineError `timed_out` after `limitMs` of processor time, and `internal` if
   * recognition fails. In both cases, it closes the recognizer.
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
    const reading = this.send({
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

  /** Releases the recognizer after a document. One recognizer stays idle for the next document. Others are closed. */
  async release(): Promise<void> {
    if (spare || this.useCount >= MOST_USES) return this.close()
    this.thread.unref() // an idle thread must not keep the process alive
    keepSpare(this)
  }

  async close(): Promise<void> {
    this.waiting = undefined // abandons the pending request
    await this.thread.terminate()
  }

  /** Loads the languages and resets the adaptation of Tesseract. */
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
      await Promise.race([this.send({ kind: 'begin', models, variables }), late])
    } catch (error) {
      await this.close()
      throw new EngineError('internal', 'Text recognition could not be started.', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  private send(request: WorkerRequest): Promise<WorkerResponse> {
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
  const recognizer = spare
  spare = undefined
  return recognizer
}
