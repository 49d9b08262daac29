import { useState } from 'react'
import { Download, Ellipsis } from 'lucide-react'
import { Button, IconButton } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { ColourField } from '../ui/colour-field.tsx'
import { ComboBox } from '../ui/combo-box.tsx'
import { TextArea, TextField } from '../ui/fields.tsx'
import { FormCard, LongForm } from '../ui/form-card.tsx'
import { LogoMark } from '../ui/logo.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { PictureField } from '../ui/picture-field.tsx'
import { Problem } from '../ui/problem.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { TagsField } from '../ui/tags-field.tsx'
import { Grid, Part, Row } from './part.tsx'

export const Buttons = () => (
  <Part title="Buttons">
    {(['small', 'medium', 'large'] as const).map((size) => (
      <Row key={size}>
        {(['primary', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
          <Button key={variant} variant={variant} size={size}>
            {variant}
          </Button>
        ))}
        <Button size={size} icon={<Download aria-hidden />}>
          With icon
        </Button>
        <Button size={size} isDisabled>
          Disabled
        </Button>
        <Button size={size} variant="primary" isPending>
          Pending
        </Button>
        <IconButton label={`More, ${size}`}>
          <Ellipsis aria-hidden />
        </IconButton>
      </Row>
    ))}
  </Part>
)

export const Fields = () => {
  const [search, setSearch] = useState('rate')
  const [colour, setColour] = useState('')
  const [tags, setTags] = useState<string[]>(['first home', 'tips'])
  const [number, setNumber] = useState(4)
  return (
    <Part title="Fields">
      <Grid>
        <TextField label="Empty" placeholder="Loan officer" />
        <TextField label="With a hint" hint="As it should stand in your videos." defaultValue="Riley Park" />
        <TextField label="Optional" isRequired={false} />
        <TextField label="Wrong" error="Write the whole address, such as name@company.com." defaultValue="riley@" />
        <TextField label="Disabled" isDisabled defaultValue="Not now" />
        <TextArea
          label="Long text"
          hint="5,000 characters at most"
          defaultValue="Cut the part where the phone rings."
        />
        <NumberField label="Number" value={number} onChange={setNumber} minValue={0} />
        <SearchField label="Search" value={search} onChange={setSearch} />
        <ColourField label="Colour, none yet" value={colour} start="#2647e0" onChange={setColour} />
        <TagsField
          label="Tags"
          value={tags}
          onChange={setTags}
          most={5}
          longest={30}
          removeWords={(tag) => `Remove ${tag}`}
        />
        <PictureField
          label="Picture"
          preview={<LogoMark className="size-10" />}
          hasPicture
          onChoose={async () => {}}
          onRemove={async () => {}}
        />
      </Grid>
    </Part>
  )
}

export const Choices = () => {
  const [select, setSelect] = useState<string | null>('one')
  const [empty, setEmpty] = useState<string | null>(null)
  const [combo, setCombo] = useState<string | null>('two')
  const [tab, setTab] = useState('cut')
  return (
    <Part title="Choices">
      <Grid>
        <Select label="Select" options={styles} value={select} onChange={setSelect} />
        <Select
          label="Select, wrong"
          options={styles}
          value={empty}
          onChange={setEmpty}
          placeholder="Choose a style"
          error="Choose one."
        />
        <ComboBox label="Combo box" options={styles} value={combo} onChange={setCombo} />
        <div className="grid gap-1">
          <Checkbox>Not chosen</Checkbox>
          <Checkbox defaultSelected>Chosen</Checkbox>
          <Checkbox isIndeterminate>Some</Checkbox>
          <Checkbox isDisabled>Disabled</Checkbox>
        </div>
        <div className="grid gap-2">
          <Switch>Off</Switch>
          <Switch defaultSelected hint="What it changes stands here.">
            On
          </Switch>
          <Switch isDisabled>Disabled</Switch>
        </div>
      </Grid>
      {(['line', 'switch'] as const).map((look) => (
        <Tabs
          key={look}
          look={look}
          label={`Tabs, ${look}`}
          items={[
            { key: 'cut', label: 'Cut', count: 3 },
            { key: 'talk', label: 'Conversation' },
            { key: 'history', label: 'History' },
          ]}
          value={tab}
          onChange={setTab}
        >
          {(key) => <p className="py-2 text-muted">What belongs to {key}.</p>}
        </Tabs>
      ))}
    </Part>
  )
}

export const FormPieces = () => (
  <Part title="A form as long as a page">
    <Problem>The service could not be reached. Check your connection and try again.</Problem>
    <FormCard id="form-card" title="A card of it" text="What it asks about.">
      <TextField label="Name" defaultValue="Harbor Home Loans" />
    </FormCard>
    <Foot />
    <Foot failure="That name is taken." />
    <Foot isPending create="Create it" />
  </Part>
)

const styles = [
  { value: 'one', label: 'One Line' },
  { value: 'two', label: 'Two Lines', detail: 'for long sentences' },
  { value: 'tour', label: 'Home Tour', isDisabled: true },
]

const Foot = ({ failure, isPending = false, create }: { failure?: string; isPending?: boolean; create?: string }) => (
  <LongForm
    isUnsaved
    isPending={isPending}
    failure={failure}
    create={create}
    onSave={() => {}}
    onUndo={() => {}}
    footClassName="rounded-card border"
  >
    {null}
  </LongForm>
)
