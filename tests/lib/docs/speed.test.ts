import { describe, expect, it } from 'vitest'
import { describePerformance } from '../../../lib/docs/pages/performance'
import { listSlowerJobs, SPEED, type SpeedFigures, summarizeSpeed } from '../../../lib/docs/speed'
import { compareWithQpdf, ENGINE_JOBS, PUBLISHED_FILES } from '../../bench/engine-jobs'
import { collectFigures } from '../../bench/publish-speed'
import type { Measured } from '../../bench/engine-goals'

const FILE_NAMES = PUBLISHED_FILES.map(({ file }) => file)
const jobs = ENGINE_JOBS.filter(({ file, rivals }) => FILE_NAMES.includes(file) && rivals.qpdf)

/** A result in which Sheaf needs a given part of the time of qpdf. */
const measure = (ratio: number): Measured => ({
  coldMs: 1,
  warmMs: 200 * ratio,
  rivalMs: { qpdf: 200 },
  peakBytes: 1,
  inputBytes: 12e6,
  outputBytes: 1,
})

describe('the published figures', () => {
  it('cover every tool and file of the benchmark that qpdf is compared with', () => {
    const told = SPEED.tools.flatMap(({ tool, qpdfDoes, figures }) =>
      figures.map(({ file }) => `${tool} ${file}: ${qpdfDoes}`),
    )
    expect(told.sort()).toEqual(jobs.map(job => `${job.title}: ${compareWithQpdf(job)}`).sort())
    expect(SPEED.files.map(({ name, pages }) => ({ file: name, pageCount: pages }))).toMatchObject(
      PUBLISHED_FILES.map(({ file, pageCount }) => ({ file, pageCount })),
    )
  })

  it('are on the page, which names every file', () => {
    const tables = describePerformance().blocks.flatMap(block => (block.kind === 'table' ? [block.rows] : []))
    const cells = tables.flat().flatMap(row => row.cells)
    expect(cells.filter(cell => cell === '' || cell === 'Not measured' || /[a-z][A-Z]/.test(cell))).toEqual([])
  })
})

describe('a run of the benchmark', () => {
  const results = jobs.map((job, index) => ({ job, measured: measure((index % 7) / 5) }))

  it('is published with all its figures', () => {
    const { tools, files, ...rest } = collectFigures(results, '12.1.0')
    expect(rest).toMatchObject({ qpdf: '12.1.0', rounds: 7 })
    expect(files[0]).toEqual({ name: 'medium', bytes: 12e6, pages: 200 })
    expect(tools.flatMap(({ figures }) => figures)).toHaveLength(jobs.length)
    expect(tools[0]).toEqual({
      tool: 'merge-pdf',
      qpdfDoes: 'the same',
      figures: [
        { file: 'medium', ratio: 0, ms: 0, qpdfMs: 200 },
        { file: 'mediumCompressed', ratio: 0.4, ms: 80, qpdfMs: 200 },
        { file: 'large', ratio: 0.8, ms: 160, qpdfMs: 200 },
        { file: 'largeCompressed', ratio: 1.2, ms: 240, qpdfMs: 200 },
      ],
    })
  })
})

describe('the summary', () => {
  const makeFigures = (...ratios: number[][]): SpeedFigures => ({
    ...SPEED,
    files: [
      { name: 'one', bytes: 12e6, pages: 200 },
      { name: 'two', bytes: 6e6, pages: 2400 },
    ],
    tools: ratios.map(([one = 0, two = 0], index) => ({
      tool: `tool-${index}`,
      qpdfDoes: index === 0 ? 'a rewrite' : 'the same',
      figures: [
        { file: 'one', ratio: one },
        { file: 'two', ratio: two },
      ],
    })),
  })

  it('leaves out the jobs that qpdf does not have', () => {
    expect(summarizeSpeed(makeFigures([9, 9], [0.2, 0.9], [0.4, 1.1], [0.1, 0.3], [0.5, 0.6]))).toEqual({
      pages: 200,
      bytes: 12e6,
      jobs: 4,
      median: expect.closeTo(0.3) as number,
      lowest: 0.1,
      highest: 0.5,
      highestOfAll: 1.1,
    })
    expect(summarizeSpeed(makeFigures([9, 9]))).toBeUndefined()
  })

  it('lists slower jobs of all kinds', () => {
    expect(listSlowerJobs(makeFigures([0.9, 1.2], [1, 1.1])).map(({ tool }) => tool)).toEqual(['tool-0', 'tool-1'])
  })
})
