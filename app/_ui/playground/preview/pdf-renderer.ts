import type {
  DocumentProperties,
  DrawnPage,
  FieldOnPage,
  OpenedPdf,
  PageCorners,
  PdfReply,
  PdfRequest,
  TextHit,
  PageArea,
  TextQuery,
} from './pdf-messages'

/** After this time, the page is given up and its worker is terminated. */
const LIMIT_MS = 30_000

type Task = PdfRequest extends infer Request ? (Request extends PdfRequest ? Omit<Request, 'id'> : never) : never

interface Waiting {
  request: PdfRequest
  transfer: Transferable[]
  resolve: (reply: PdfReply) => void
  reject: (error: Error) => void
}

/** The worker that renders previews, started on first use. A request for a file of a terminated worker is rejected. */
class PdfDrawer {
  private worker: Worker | undefined
  private generation = 0
  private nextId = 1
  /** The queue in order. The worker has the first request. */
  private queue: Waiting[] = []
  private timer: ReturnType<typeof setTimeout> | undefined

  /** Opens a PDF. Close it when it is no longer shown. Rejects with an Error whose message is for the visitor. */
  async open(file: Blob): Promise<OpenedDocument> {
    const bytes = await file.arrayBuffer()
    const reply = await this.sendRequest({ task: 'open', bytes }, [bytes])
    if (!('opened' in reply)) throw new Error('The preview failed.')
    return new OpenedDocument(this, this.generation, reply.opened)
  }

  /** Sends a task for an open file. Rejects with an Error whose message is for the visitor. */
  async ask(generation: number, task: Task, signal?: AbortSignal): Promise<PdfReply> {
    if (generation !== this.generation) throw new Error('The preview stopped because a page took too long.')
    return this.sendRequest(task, [], signal)
  }

  close(generation: number, file: number): void {
    // The file is closed in any case.
    if (generation === this.generation && this.worker) this.sendRequest({ task: 'close', file }).catch(() => {})
  }

  private sendRequest(task: Task, transfer: Transferable[] = [], signal?: AbortSignal): Promise<PdfReply> {
    const request = { id: this.nextId++, ...task }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { request, transfer, resolve, reject }
      this.queue.push(waiting)
      signal?.addEventListener('abort', () => {
        // The worker already has the first request.
        if (this.queue.indexOf(waiting) > 0) this.queue.splice(this.queue.indexOf(waiting), 1)
        reject(new Error('The preview was canceled.'))
      })
      if (this.queue.length === 1) this.sendFirst()
    })
  }

  private sendFirst(): void {
    const [first] = this.queue
    if (!first) return
    const worker = (this.worker ??= this.start())
    this.timer = setTimeout(() => this.abandonWorker('A page took too long.'), LIMIT_MS)
    worker.postMessage(first.request, first.transfer)
  }

  private start(): Worker {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<PdfReply>) => {
      const [first] = this.queue
      if (first?.request.id !== data.id) return
      clearTimeout(this.timer)
      this.queue.shift()
      if ('failure' in data) first.reject(new Error(data.failure))
      else first.resolve(data)
      this.sendFirst()
    })
    worker.addEventListener('error', () => this.abandonWorker('The preview failed to load.'))
    return worker
  }

  private abandonWorker(sentence: string): void {
    clearTimeout(this.timer)
    this.worker?.terminate()
    this.worker = undefined
    this.generation += 1
    const abandoned = this.queue
    this.queue = []
    for (const { reject } of abandoned) reject(new Error(sentence))
  }
}

/** An open PDF whose pages can be rendered. */
export class OpenedDocument {
  /** Sizes of the first 2,000 pages. */
  readonly pages: OpenedPdf['pages']
  /** Number of all pages. */
  readonly pageCount: number
  readonly properties: DocumentProperties
  private readonly file: number

  /** Use `pdfDrawer.open`. */
  constructor(
    private readonly drawer: PdfDrawer,
    private readonly generation: number,
    { file, pages, pageCount, properties }: OpenedPdf,
  ) {
    this.file = file
    this.pages = pages
    this.pageCount = pageCount
    this.properties = properties
  }

  /**
   * Renders a page (index from 0) as large as fits into the given pixels, unless `signal` cancels it before. Rejects
   * with an Error whose message is for the visitor.
   */
  async draw(pageIndex: number, maxWidthPx: number, maxHeightPx: number, signal?: AbortSignal): Promise<DrawnPage> {
    const reply = await this.ask({ task: 'draw', file: this.file, pageIndex, maxWidthPx, maxHeightPx }, signal)
    if (!('drawn' in reply)) throw new Error('This page can’t be shown.')
    return reply.drawn
  }

  /** Finds texts on all pages. Returns at most 500 hits. */
  async find(queries: TextQuery[]): Promise<TextHit[]> {
    const reply = await this.ask({ task: 'find', file: this.file, queries })
    return 'hits' in reply ? reply.hits : []
  }

  /** Reads the text layer in some places. Returns a text for each place, empty if there is none. */
  async read(places: PageArea[]): Promise<string[]> {
    const reply = await this.ask({ task: 'read', file: this.file, places })
    return 'texts' in reply ? reply.texts : []
  }

  /** Lists the form fields of all pages, without push buttons and signatures. */
  async listFields(): Promise<FieldOnPage[]> {
    const reply = await this.ask({ task: 'fields', file: this.file })
    return 'fields' in reply ? reply.fields : []
  }

  /** Returns where the corners of a page are in PDF coordinates. */
  async locateCorners(pageIndex: number): Promise<PageCorners> {
    const reply = await this.ask({ task: 'corners', file: this.file, pageIndex })
    if (!('corners' in reply)) throw new Error('This page can’t be measured.')
    return reply.corners
  }

  close(): void {
    this.drawer.close(this.generation, this.file)
  }

  private ask(task: Task, signal?: AbortSignal): Promise<PdfReply> {
    return this.drawer.ask(this.generation, task, signal)
  }
}

export const pdfDrawer = new PdfDrawer()
