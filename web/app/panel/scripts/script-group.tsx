import { GroupHead } from '../../ui/group-head.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { CategoryPicture } from './category-picture.tsx'
import { messages } from './messages.ts'
import { AddScript, EditCategory } from './script-buttons.tsx'
import { ScriptCard, scriptGrid } from './script-card.tsx'
import type { Group } from './use-groups.ts'
import { useLibrary } from './use-library.ts'

/** The scripts of a category, or one's own, under their name. */
export const ScriptGroup = ({ group: { id, title, scripts, category } }: { group: Group }) => {
  const { own, mayWrite } = useLibrary()
  return (
    <section aria-labelledby={`group-${id}`}>
      <GroupHead
        id={`group-${id}`}
        title={title}
        count={scripts.length}
        picture={category && <CategoryPicture category={category} className="size-8" />}
        badge={category && !category.active && <Badge tone="warn">{messages.hidden}</Badge>}
        actions={
          category &&
          mayWrite && (
            <>
              <AddScript category={category} />
              <EditCategory category={category} />
            </>
          )
        }
      />
      {scripts.length === 0 ? (
        <p className="text-muted">{messages.categoryEmpty}</p>
      ) : (
        <ul className={scriptGrid}>
          {scripts.map((script) => (
            <li key={script.id}>
              <ScriptCard script={script} category={category} />
            </li>
          ))}
        </ul>
      )}
      {!category && (
        <div className="grid *:mt-3">
          <MoreButton list={own} />
        </div>
      )}
    </section>
  )
}
