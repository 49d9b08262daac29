import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Project } from '@clear-to-post/contract/projects'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { editorsFor } from '../accounts/editors.ts'
import { editorsQuery } from '../accounts/use-people.ts'
import { endOf, type Act } from './act.ts'
import { messages } from './messages.ts'
import { Status } from '@clear-to-post/domain/workflow'

type AssignProps = {
  /** As it was when the question was opened. */
  project: Project
  act: Act
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Gives the project to an editor, or back to the queue while nobody has begun. */
export const AssignDialog = ({ project, act, isOpen, onOpenChange }: AssignProps) => {
  const editors = useQuery(editorsQuery)
  const [chosen, setChosen] = useState(project.editorId ?? nobody)
  const options = [
    ...(project.status === Status.submitted ? [{ value: nobody, label: messages.toPool }] : []),
    ...editorsFor(editors.data ?? [], project.tenantId).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <Dialog
      title={messages.assignTitle}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      actions={(close) => (
        <>
          <Button onPress={close}>{messages.stop}</Button>
          <Button
            variant="primary"
            isPending={act.pending === 'assign'}
            isDisabled={editors.data === undefined || chosen === (project.editorId ?? nobody)}
            onPress={() => act.assign(chosen === nobody ? null : chosen, endOf(close))}
          >
            {messages.assign}
          </Button>
        </>
      )}
    >
      <Loaded answer={editors} failed={messages.editorsFailed} isSmall loading={<Skeleton className="h-10 w-full" />}>
        {() => (
          <Select
            label={messages.editor}
            placeholder={messages.chooseEditor}
            options={options}
            value={options.some(({ value }) => value === chosen) ? chosen : null}
            onChange={setChosen}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

const nobody = 'nobody'
