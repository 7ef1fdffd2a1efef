import { INVOICE_JOB } from '../invoice/data/invoice'
import { runInvoice } from '../invoice/run-invoice'
import { runTool } from '../pdf-tools/run-tool'
import type { RunTool } from './serve-jobs'

/** Work that is no tool, by the name that a job has for it. */
const OTHER_WORK: ReadonlyMap<string, RunTool> = new Map([[INVOICE_JOB, runInvoice]])

/** Does whatever a job asks for. Throws what the work throws. */
export const runJob: RunTool = (job, onOpened) => (OTHER_WORK.get(job.tool) ?? runTool)(job, onOpened)
