import { EngineError } from '../errors'
import { setPages } from '../pdf/document'
import { changeMetadata } from '../pdf/metadata'
import { createDocument, createPage } from '../pdf/page'
import type { OutlineArea, OutlineRequest, RunnableJob, ToolResult } from '../types'
import type { Tool } from './define'
import { baseName } from '../file-name'
import { listRunnableTools } from './registry'

/** Maximum number of areas in the result. */
const MOST_AREAS = 1000

/**
 * Runs a tool on blank pages of the sizes that the job names, and returns where it draws on one of them, as JSON. The
 * areas match the real run, because they depend only on the options and the sizes of the pages. Throws EngineError as
 * the tool does.
 */
export async function runOutline(job: RunnableJob, onOpened: () => void): Promise<ToolResult> {
  const { tool: id, options, pages, pageIndex, fileName, metadata } = job.options as OutlineRequest // The service has parsed it.
  const tool: Tool | undefined = listRunnableTools().find(one => one.id === id)
  if (!tool || !('run' in tool)) throw new EngineError('internal', `The tool "${id}" has no outline.`)
  const document = createDocument(job.limits)
  setPages(
    document,
    pages.map(([width, height]) => createPage(document, { width, height })),
  )
  const { title, author, subject } = metadata
  const fields = new Map([
    ['title', title],
    ['author', author],
    ['subject', subject],
  ] as const)
  changeMetadata(document, { fields, custom: new Map() })
  onOpened()
  const started = performance.now()
  const areas: OutlineArea[] = []
  await tool.run([{ name: baseName(fileName), document }], tool.options.parse(options), {
    warn: () => undefined,
    header: () => undefined,
    outline: {
      pageIndex,
      add(area) {
        if (areas.length < MOST_AREAS) areas.push(area)
      },
    },
    limits: job.limits,
    now: job.now ?? new Date(),
  })
  return {
    name: 'outline.json',
    contentType: 'application/json',
    chunks: [Buffer.from(JSON.stringify(areas))],
    warnings: [],
    headers: {},
    timings: { work: performance.now() - started },
  }
}
