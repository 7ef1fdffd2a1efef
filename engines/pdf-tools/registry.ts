import type { z } from 'zod'
import { finishPage } from '../webpage/finish-page'
import type { ToolSection, Warning } from '../types'
import type { Tool } from './define'
import * as tools from './tools'

/** What the service may know of a tool: everything but its work. */
export interface ToolDeclaration {
  id: string
  title: string
  summary: string
  files: 'one' | 'many'
  suffix: string
  responses: 'application/pdf' | 'application/zip' | 'text/plain'
  otherResponses?: { contentType: string; when: string }[]
  warnings?: Warning[]
  timeLimits?(options: Record<string, unknown>): 'ocr' | undefined
  options: z.ZodObject
  sections?: readonly ToolSection[]
  examples: { title: string; options: unknown }[]
}

/** All tools, by id. */
export function listTools(): ToolDeclaration[] {
  return [...byId.values()]
}

/** The declaration of one tool, or undefined when there is no tool of that id. */
export function findTool(id: string): ToolDeclaration | undefined {
  return byId.get(id)
}

/**
 * The tool (or the step of another call) with its work, for the engine process; undefined when there is none of that
 * id.
 */
export function findRunnableTool(id: string): Tool | undefined {
  return byId.get(id) ?? steps.get(id)
}

// A Map, so that `__proto__` and `constructor` are no tools.
// Options of each tool are typed inside its own file; here only their common form counts.
const byId = new Map<string, Tool>(Object.values(tools).map(tool => [tool.id, tool as unknown as Tool]))

/** What engines do for calls that are no tools; nobody can ask for these by themselves. */
const steps = new Map<string, Tool>([[finishPage.id, finishPage]])
