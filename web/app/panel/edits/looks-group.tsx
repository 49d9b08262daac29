import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Pencil, Save, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import type { Asset } from '@clear-to-post/contract/assets'
import { looks, type Look } from '@clear-to-post/contract/looks'
import type { Project } from '@clear-to-post/contract/projects'
import { applyLook, lookOf, type Look as LookContent } from '@clear-to-post/edit/look'
import { query, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useMay } from '../../session.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { Group } from './fields.tsx'
import type { Workbench } from './use-bench.ts'
import { looksWords } from './words/looks.ts'

type LooksProps = { project: Project; bench: Workbench; assets: ReadonlyMap<string, Asset> }

/** The looks of the company and of the service: one click gives one to the edit; this edit's is saved under a name. */
export const LooksGroup = ({ project, bench, assets }: LooksProps) => {
  const params = { projectId: project.id }
  const list = useQuery(query(looks.list, { params }))
  const mayKeep = useMay('look.write')
  const [isSaving, setSaving] = useState(false)
  return (
    <Group title={looksWords.title}>
      <p className="text-[0.8125rem] text-muted">{looksWords.text}</p>
      <Loaded answer={list} failed={looksWords.failed} loading={<Skeleton className="h-10 w-full" />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-muted">{looksWords.none}</p>
          ) : (
            <ul className="divide-y divide-line border-y border-line">
              {items.map((look) => (
                <LookRow key={look.id} look={look} bench={bench} assets={assets} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {mayKeep && (
        <Button size="small" icon={<Save aria-hidden />} className="justify-self-start" onPress={() => setSaving(true)}>
          {looksWords.save}
        </Button>
      )}
      {isSaving && <SaveLook project={project} bench={bench} onClose={() => setSaving(false)} />}
    </Group>
  )
}

type RowProps = { look: Look; bench: Workbench; assets: LooksProps['assets'] }

const LookRow = ({ look, bench: { recipe, change, mayWrite }, assets }: RowProps) => {
  const { id, name, isForAll, actions } = look
  const [isRenaming, setRenaming] = useState(false)
  const refresh = useRefresh()
  const remove = useCall(looks.remove, {
    onSuccess: () => {
      refresh()
      toast.success(looksWords.removed(name))
    },
    onError: toastFailure,
  })
  const command = applyLook(look.content as unknown as LookContent, (assetId) => assets.has(assetId))
  const isInUse = command(recipe) === recipe
  return (
    <li className="flex min-h-12 items-center gap-2">
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <span className="font-medium">{name}</span>
        {isForAll && <span className="block text-[0.8125rem] text-muted">{looksWords.ofAll}</span>}
      </span>
      {isInUse ? (
        <span className="flex items-center gap-1 px-2 text-[0.8125rem] text-muted">
          <Check aria-hidden className="size-4" />
          {looksWords.inUse}
        </span>
      ) : (
        <Button
          size="small"
          isDisabled={!mayWrite}
          aria-label={looksWords.apply(name)}
          onPress={() => change(looksWords.did(name), command)}
        >
          {looksWords.use}
        </Button>
      )}
      {actions.includes('change') && (
        <ActionMenu
          label={looksWords.actionsOf(name)}
          isPending={remove.isPending}
          actions={[
            { label: looksWords.rename, icon: Pencil, onAction: () => setRenaming(true) },
            {
              label: looksWords.remove,
              icon: Trash2,
              isDanger: true,
              confirm: { title: looksWords.removeTitle(name), text: looksWords.removeText, keep: looksWords.keep },
              onAction: () => remove.mutate({ params: { lookId: id } }),
            },
          ]}
        />
      )}
      {isRenaming && <RenameLook look={look} onClose={() => setRenaming(false)} />}
    </li>
  )
}

const SaveLook = ({ project, bench, onClose }: { project: Project; bench: Workbench; onClose: () => void }) => {
  const mayShare = useMay('look.share')
  const [name, setName] = useState('')
  const [isForAll, setForAll] = useState(false)
  const refresh = useRefresh()
  const add = useCall(looks.add, {
    onSuccess: () => {
      refresh()
      toast.success(looksWords.saved(name.trim()))
      onClose()
    },
  })
  return (
    <FormDialog
      title={looksWords.save}
      size="small"
      submit={looksWords.confirm}
      cancel={looksWords.cancel}
      problem={add.isError && failureWords(add.error)}
      isPending={add.isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() =>
        add.mutate({
          params: { projectId: project.id },
          body: { name: name.trim(), content: lookOf(bench.recipe), isForAll },
        })
      }
      onClose={onClose}
    >
      <p className="text-muted">{looksWords.saveText}</p>
      <TextField label={looksWords.name} value={name} onChange={setName} maxLength={60} autoFocus />
      {mayShare && (
        <Checkbox isSelected={isForAll} onChange={setForAll}>
          {looksWords.forAll}
        </Checkbox>
      )}
    </FormDialog>
  )
}

const RenameLook = ({ look, onClose }: { look: Look; onClose: () => void }) => {
  const [name, setName] = useState(look.name)
  const refresh = useRefresh()
  const rename = useCall(looks.rename, {
    onSuccess: () => {
      refresh()
      onClose()
    },
  })
  return (
    <FormDialog
      title={looksWords.renameTitle}
      size="small"
      submit={looksWords.confirm}
      cancel={looksWords.cancel}
      problem={rename.isError && failureWords(rename.error)}
      isPending={rename.isPending}
      isDisabled={name.trim() === '' || name.trim() === look.name}
      onSubmit={() => rename.mutate({ params: { lookId: look.id }, body: { name: name.trim() } })}
      onClose={onClose}
    >
      <TextField label={looksWords.name} value={name} onChange={setName} maxLength={60} autoFocus />
    </FormDialog>
  )
}

const useRefresh = () => {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: ['looks'] })
}
