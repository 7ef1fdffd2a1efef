import type { EngineLimits, RunJob } from '../types'
import { writeSimpleFile } from '../pdf/page'
import { listRunnableTools } from './registry'

/**
 * Runs the tools that edit one document, each with its first example on a five-page document, until `budgetMs` has
 * passed. The code is then loaded and compiled before the first request. Errors are ignored here, because a tool that
 * fails also fails for a request, which can report the error.
 */
export async function warmUpTools(runJob: RunJob, budgetMs: number): Promise<void> {
  const bytes = buildDocument(5)
  const until = performance.now() + budgetMs
  for (const tool of listRunnableTools()) {
    if (!('edit' in tool)) continue // A tool with `run` may load large resources, such as OCR models.
    const { id, options, examples } = tool
    const example = options.safeParse(examples[0]?.options)
    const job = {
      tool: id,
      options: example.data,
      files: [{ name: 'warm-up.pdf', bytes: Uint8Array.from(bytes) }],
      limits: WARM_UP_LIMITS,
    }
    await runJob(job, () => undefined).catch(() => undefined)
    if (performance.now() > until) return
  }
}

const WARM_UP_LIMITS: EngineLimits = {
  maxPagesIn: 100,
  maxPagesOut: 100,
  maxOutputBytes: 10 ** 6,
  maxObjects: 1000,
  maxStreamBytes: 2 ** 20,
  maxInflateBytes: 2 ** 20,
  maxPixels: 10 ** 6,
  ocrPageTimeoutMs: 1000,
}

/** Builds a plain document with one line of text on each page and a cross-reference table. */
function buildDocument(pageCount: number): Uint8Array {
  const text = 'BT /F1 24 Tf 72 700 Td (Warm) Tj ET'
  const kids = Array.from({ length: pageCount }, (_, index) => `${index + 5} 0 R`)
  return writeSimpleFile([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pageCount}/Kids[${kids.join(' ')}]/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Length ${text.length}>>\nstream\n${text}\nendstream`,
    ...kids.map(() => '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>'),
  ])
}
