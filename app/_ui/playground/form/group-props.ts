import type { ComponentType } from 'react'
import { useForm } from './form-context'
import { type FieldPath, keyOf } from './field-path'
import type { Field, FieldShape, Json } from './field-shapes'
import type { ControlProps } from './text-controls'

/** The components inside a group, passed down because they render groups themselves. */
export interface Parts {
  Control: ComponentType<ControlProps & { showsProblems?: boolean }>
  FieldRow: ComponentType<{
    field: Field
    value: Json | undefined
    path: FieldPath
    onChange: (value: Json | undefined) => void
  }>
}

/** The properties of a control that contains others. */
export type GroupProps<Kind extends FieldShape['kind']> = Omit<ControlProps, 'shape'> & {
  shape: Extract<FieldShape, { kind: Kind }>
  parts: Parts
}

/** Returns whether a shape is shown as a group of controls. */
export function isGroup(shape: FieldShape): boolean {
  return ['object', 'list', 'map', 'choices', 'file', 'union', 'steps'].includes(shape.kind)
}

/** Returns the ID of a group, which gets the focus if it contains a problem. */
export function useGroupId(path: ControlProps['path']): string {
  return `${useForm().prefix}${keyOf(path)}-group`
}
