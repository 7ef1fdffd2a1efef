import { findTool, listTools } from '../../engines/tools/registry'
import { RequestError } from '../errors'
import { invoiceOperation } from './invoice'
import type { Operation } from './operation'
import { createPdfToolOperation } from './pdf-tool'
import { pipelineOperation } from './pipeline'
import { webpageOperation } from './webpage'

/** Lists all operations in the order of the documentation. */
export function listOperations(): Operation[] {
  return [...listTools().map(createPdfToolOperation), webpageOperation, invoiceOperation, pipelineOperation]
}

/** Returns the operation of a PDF tool, or the error for an unknown tool. */
export function findPdfToolOperation(toolId: string): Operation | RequestError {
  const tool = findTool(toolId)
  return tool ? createPdfToolOperation(tool) : refuseUnknownTool()
}

/** Returns the operation of a path below `/api/external/`, given as segments, or the error for an unknown path. */
export function findOperation(path: string[]): Operation | RequestError {
  const [group, toolId] = path
  if (group === 'pdf-tools' && toolId !== undefined && path.length === 2) return findPdfToolOperation(toolId)
  return (
    [webpageOperation, invoiceOperation, pipelineOperation].find(({ id }) => id === path.join('/')) ??
    refuseUnknownPath()
  )
}

/** Returns the error for an unknown path. */
export function refuseUnknownPath(): RequestError {
  return new RequestError(
    'not_found',
    `Unknown path. The endpoints are ${listOperations()
      .map(({ id }) => `/api/external/${id}`)
      .join(', ')}.`,
  )
}

function refuseUnknownTool(): RequestError {
  return new RequestError(
    'not_found',
    `Unknown tool. The tools are ${listTools()
      .map(({ id }) => id)
      .join(', ')}.`,
  )
}
