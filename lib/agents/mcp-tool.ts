import type { JsonSchema } from '../docs/json-schema'

/** A tool of the Model Context Protocol. Its schema is short, because all tools are in the context of the model. */
export interface McpTool {
  name: string
  /** The ID of its operation. */
  operation: string
  description: string
  inputSchema: {
    type: 'object'
    properties: Record<string, JsonSchema>
    required: string[]
    additionalProperties: false
  }
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}
