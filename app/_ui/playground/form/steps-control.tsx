'use client'

import { arrayMove, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../elements/button'
import { forgetEntries } from './applicable-fields'
import { isJsonObject, type Json } from './field-shapes'
import { useForm } from './form-context'
import type { GroupProps } from './group-props'
import playground from '../playground.module.css'
import { SortArea } from '../sortable/sort-area'
import { StepCard } from './step-card'
import { findStepChoice } from './step-forms'
import { keepStepKey, keyOfStep } from './step-keys'
import classes from './steps.module.css'

/** The steps of a pipeline in their order. They are added, removed and moved by pointer and by keyboard. */
export function StepsControl({ shape, value, onChange, path, parts }: GroupProps<'steps'>) {
  const { shelf, fileNames } = useForm()
  const steps = (Array.isArray(value) ? value : []).filter(isJsonObject)
  const keys = steps.map(keyOfStep)
  const [openKeys, setOpenKeys] = useState<readonly string[]>([])
  const [moved, setMoved] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const adding = useRef<HTMLButtonElement>(null)
  const focusNext = useFocusNext(list)
  const nameOf = (at: number) => findStepChoice(shape.choices, steps[at] ?? {})?.title ?? `Step ${at + 1}`
  const set = (next: Json[]) => onChange(next.length === 0 ? undefined : next)

  function move(from: number, to: number) {
    forgetEntries(shelf, path)
    set(arrayMove(steps, from, to))
  }

  function moveByButton(from: number, to: number) {
    move(from, to)
    setMoved(`${nameOf(from)} is now step ${to + 1} of ${steps.length}.`)
    focusNext(to, to < from ? ['up', 'down'] : ['down', 'up'])
  }

  function remove(index: number) {
    forgetEntries(shelf, path)
    set(steps.filter((_, at) => at !== index))
    setMoved(`${nameOf(index)} is removed.`)
    if (steps.length === 1) adding.current?.focus()
    else focusNext(Math.min(index, steps.length - 2), ['fold'])
  }

  function add() {
    const step = {}
    setOpenKeys([...openKeys, keyOfStep(step)])
    set([...steps, step])
    focusNext(steps.length, ['tool'])
  }

  return (
    <div className={playground.rows}>
      {steps.length > 1 && (
        <p className={playground.hint}>
          Drag a step by its handle. By keyboard, press Space on the handle, then arrow keys, then Space.
        </p>
      )}
      <SortArea
        keys={keys}
        noun="step"
        nameOf={nameOf}
        strategy={verticalListSortingStrategy}
        onMove={(from, to) => {
          setMoved('')
          move(from, to)
        }}
      >
        {() => (
          <ol ref={list} className={classes.steps}>
            {steps.map((step, index) => (
              <StepCard
                key={keys[index]}
                stepKey={keys[index] ?? ''}
                shape={shape}
                step={step}
                index={index}
                count={steps.length}
                path={[...path, index]}
                isOpen={openKeys.includes(keys[index] ?? '')}
                onToggle={isOpen =>
                  setOpenKeys(before => [
                    ...before.filter(key => key !== keys[index]),
                    ...(isOpen ? [keys[index] ?? ''] : []),
                  ])
                }
                onChange={next => set(steps.map((one, at) => (at === index ? keepStepKey(one, next) : one)))}
                onMove={to => moveByButton(index, to)}
                onRemove={() => remove(index)}
                known={[...new Set([...fileNames, ...steps.slice(0, index).flatMap(({ as }) => as ?? [])].map(String))]}
                parts={parts}
              />
            ))}
          </ol>
        )}
      </SortArea>
      <Button ref={adding} look="secondary" size="small" disabled={steps.length >= shape.most} onClick={add}>
        Add a step
      </Button>
      <p role="status" className="visually-hidden">
        {moved}
      </p>
    </div>
  )
}

/** Moves the focus after the next rendering to the first of some parts of a step that can have it. */
function useFocusNext(list: React.RefObject<HTMLOListElement | null>): (at: number, parts: string[]) => void {
  const next = useRef<{ at: number; parts: string[] } | undefined>(undefined)
  useEffect(() => {
    const { at, parts } = next.current ?? { at: 0, parts: [] }
    next.current = undefined
    const step = list.current?.children[at]
    const found = parts.map(part => step?.querySelector<HTMLElement>(`[data-part="${part}"]:not(:disabled)`))
    found.find(one => one)?.focus()
  })
  return (at, parts) => {
    next.current = { at, parts }
  }
}
