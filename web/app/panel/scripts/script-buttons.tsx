import { Pencil, Plus } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Opens } from '../../ui/opens.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import { messages } from './messages.ts'
import { ScriptDialog } from './script-dialog.tsx'
import type { Category } from './use-library.ts'

/** Writes a script of one’s own. */
export const WriteScript = () => (
  <Opens
    button={(open) => (
      <Button variant="primary" icon={<Plus aria-hidden />} onPress={open}>
        {messages.write}
      </Button>
    )}
  >
    {(close) => <ScriptDialog onClose={close} />}
  </Opens>
)

/** Writes a script of the library, into this category. */
export const AddScript = ({ category }: { category: Category }) => (
  <Opens
    button={(open) => (
      <IconButton label={messages.addScriptTo(category.title)} onPress={open} className="text-muted">
        <Plus aria-hidden />
      </IconButton>
    )}
  >
    {(close) => <ScriptDialog category={category} onClose={close} />}
  </Opens>
)

/** Adds a category to the library. */
export const AddCategory = () => (
  <Opens
    button={(open) => (
      <Button icon={<Plus aria-hidden />} onPress={open}>
        {messages.addCategory}
      </Button>
    )}
  >
    {(close) => <CategoryDialog onClose={close} />}
  </Opens>
)

/** Changes a category of the library. */
export const EditCategory = ({ category }: { category: Category }) => (
  <Opens
    button={(open) => (
      <IconButton label={messages.editCategoryNamed(category.title)} onPress={open} className="text-muted">
        <Pencil aria-hidden />
      </IconButton>
    )}
  >
    {(close) => <CategoryDialog category={category} onClose={close} />}
  </Opens>
)
