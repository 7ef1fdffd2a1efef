import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { spawnSync } from 'node:child_process'
import { writePgm } from '../../engines/features/ocr/scans/gray-image'
import { findModel } from '../../engines/features/ocr/recognizer/languages'
import { openDocument } from '../../engines/pdf/open-save/open'
import { findTool } from '../../engines/tools/registry'
import { runJob } from '../../engines/jobs'
import { openRenderer } from '../../engines/pdf/rendering/render'
import { LIMITS } from '../support/run-on'
import { PRINTS, makeScans } from './ocr-scans'
import { against, formatMs, median, print, printTable } from './report'
import { measureProgram } from './rivals'

const DPI = 216
const ROUNDS = 3
const GOAL_AGAINST_TESSERACT = 1.2
const GOAL_AGAINST_OCRMYPDF = 1
const GOAL_TWO_PAGES = 0.55

/**
 * Text recognition on generated scans: CPU time per page, from PDF to searchable PDF. The comparison is with Tesseract
 * on the rendered page with the same model, and with ocrmypdf, if they are installed. Then the elapsed time of two
 * pages in one request is compared with two requests of one page.
 */
export async function measureOcr(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-bench-ocr-'))
  try {
    const models = gatherModels(folder)
    print(
      `\nText recognition: CPU time of a page at ${DPI} pixels an inch, medians of ` +
        `${ROUNDS}${models === undefined ? '; Tesseract and ocrmypdf are not installed' : ''}`,
    )
    const rows = [
      [
        'page',
        'ours',
        'tesseract',
        'ours/tesseract',
        'ocrmypdf',
        'ours/ocrmypdf',
        `two pages at once/one by one, ${availableParallelism()} cores`,
      ],
    ]
    for (const name of Object.keys(PRINTS) as (keyof typeof PRINTS)[])
      rows.push(await measurePrint(name, { folder, models })) // These are the keys of a constant.
    printTable(rows)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measurePrint(
  name: keyof typeof PRINTS,
  { folder, models }: { folder: string; models: string | undefined },
): Promise<string[]> {
  const [one, two] = [await makeScans(PRINTS[name], 1), await makeScans(PRINTS[name], 2)]
  const paths = { scan: join(folder, `${name}.pdf`), image: join(folder, `${name}.pgm`), out: join(folder, 'out') }
  writeFileSync(paths.scan, one)
  await drawPage(one, paths.image)
  const hasOcrmypdf = models !== undefined && isInstalled('ocrmypdf')
  const figures: Record<'ours' | 'tesseract' | 'ocrmypdf' | 'atOnce', number[]> = {
    ours: [],
    tesseract: [],
    ocrmypdf: [],
    atOnce: [],
  }
  await recognize(two) // The code of both threads is compiled then.
  for (let round = 0; round < ROUNDS; round++) {
    // The runs alternate because the machine's speed changes.
    const [first, second, both] = [await recognize(one), await recognize(one), await recognize(two)]
    figures.ours.push(median([first.cpuMs, second.cpuMs].sort((a, b) => a - b)))
    figures.atOnce.push(both.wallMs / (first.wallMs + second.wallMs))
    if (models === undefined) continue
    const env = { OMP_THREAD_LIMIT: '1', TESSDATA_PREFIX: models }
    figures.tesseract.push(
      measureProgram('tesseract', [paths.image, paths.out, '-l', 'eng', '--psm', '3', '--dpi', String(DPI), 'tsv'], {
        env,
      }),
    )
    if (hasOcrmypdf)
      figures.ocrmypdf.push(
        measureProgram(
          'ocrmypdf',
          [
            '--jobs',
            '1',
            '--rotate-pages',
            '--deskew',
            '-l',
            'eng',
            '--output-type',
            'pdf',
            paths.scan,
            `${paths.out}.pdf`,
          ],
          { env },
        ),
      )
  }
  const [ours, tesseract, ocrmypdf] = [median(figures.ours), median(figures.tesseract), median(figures.ocrmypdf)]
  const missing = 'not installed'
  return [
    name,
    formatMs(ours),
    models === undefined ? missing : formatMs(tesseract),
    models === undefined ? '–' : against(ours / tesseract, GOAL_AGAINST_TESSERACT),
    hasOcrmypdf ? formatMs(ocrmypdf) : missing,
    hasOcrmypdf ? against(ours / ocrmypdf, GOAL_AGAINST_OCRMYPDF) : '–',
    availableParallelism() < 2 ? '–' : against(median(figures.atOnce), GOAL_TWO_PAGES),
  ]
}

/** CPU time of this process with its threads, and elapsed time. */
async function recognize(scan: Buffer): Promise<{ cpuMs: number; wallMs: number }> {
  const options = findTool('pdf-ocr')?.options.parse({ dpi: DPI })
  const [usage, since] = [process.cpuUsage(), performance.now()]
  await runJob(
    { tool: 'pdf-ocr', options, files: [{ name: 'scan.pdf', bytes: new Uint8Array(scan) }], limits: LIMITS },
    () => undefined,
  )
  const { user, system } = process.cpuUsage(usage)
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - since }
}

async function drawPage(scan: Buffer, path: string): Promise<void> {
  const renderer = await openRenderer(openDocument(new Uint8Array(scan), LIMITS))
  writeFileSync(path, writePgm(renderer.draw(0, { dpi: DPI, color: 'gray', annotations: true })))
  renderer.close()
}

/** A folder with our model and the other files that an installed Tesseract reads. Undefined without Tesseract. */
function gatherModels(folder: string): string | undefined {
  const { stdout, stderr } = spawnSync('bash', ['-c', 'tesseract --list-langs'], { encoding: 'utf8' })
  const system = /"(\/[^"]+)"/.exec(`${stdout ?? ''}${stderr ?? ''}`)?.[1]
  if (system === undefined) return undefined
  const models = join(folder, 'models')
  mkdirSync(models)
  for (const name of readdirSync(system))
    if (name !== 'eng.traineddata') symlinkSync(join(system, name), join(models, name))
  writeFileSync(join(models, 'eng.traineddata'), gunzipSync(readFileSync(findModel('eng', undefined))))
  return models
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}
