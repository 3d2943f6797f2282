/** A made-up product of the open checklist project: its files by path, as the project lays them out. */
export const openChecklist = {
  'set.yaml': `uuid: 3f0f7f10-0000-4000-8000-000000000001
set_id: 2026-example
name: 2026 Example
genre: Sports
category:
- MLB
sports:
- Baseball
season: '2026'
years:
- 2026
manufacturer: Topps
release_date: '2026-05-13'
source:
  name: Somewhere
  url: https://example.org/list
`,
  'manifest.yaml': `set_id: 2026-example
base_sets:
- id: base-set
  name: Base Set
  uuid: 3f0f7f10-0000-4000-8000-000000000002
  declared_card_count: 5
  sections:
  - id: veterans
    name: Veterans
    range:
      from: '1'
      to: '9'
  - id: others
    name: Others
    numbers:
    - '1.10'
    - 'No'
    - CL
  parallels:
  - name: Gold
    print_run: 50
    serial_numbered: true
    applies_to:
      sections:
      - veterans
  - name: Blue
    applies_to:
      except:
      - CL
  subsets:
  - id: base-signed
    name: Base Signed Relics
    uuid: 3f0f7f10-0000-4000-8000-000000000003
    type:
    - autograph
    - relic
subsets:
- id: duals
  name: Duals
  uuid: 3f0f7f10-0000-4000-8000-000000000004
  type: [insert]
`,
  'checklists/base-set.yaml': `# the base set
- number: 007
  uuid: 3f0f7f10-0000-4000-8000-000000000007
  subjects:
  - entities:
    - role: player
      name: Ann Lee
      ref:
    - role: team
      name: New York Mets
      ref: null
  rookie_card: true
- number: 1.10
  uuid: 3f0f7f10-0000-4000-8000-000000000008
  subjects:
  - entities:
    - { role: player, name: "Bo Lee", ref: null }
- number: No
  uuid: 3f0f7f10-0000-4000-8000-000000000009
  title: ~
  subjects:
  - entities:
    - role: coach
      name: 'Cy O''Lee'
  notes: 1_000 # printed
- number: CL
  uuid: 3f0f7f10-0000-4000-8000-00000000000a
  title: Checklist
- number: 2026-06-05
  uuid: 3f0f7f10-0000-4000-8000-00000000000b
  title: 10:20
`,
  'checklists/base-signed.yaml': `- number: 007
  uuid: 3f0f7f10-0000-4000-8000-00000000000c
  subjects:
  - entities:
    - role: player
      name: Ann Lee
    - role: team
      name: New York Mets
`,
  'checklists/duals.yaml': `- number: D-1
  uuid: 3f0f7f10-0000-4000-8000-00000000000d
  subjects:
  - entities:
    - role: player
      name: Ann Lee
    - role: team
      name: New York Mets
  - entities:
    - role: player
      name: Bo Lee
    - role: team
      name: Boston Red Sox
`,
}

/** The same product under other ids and another name. */
export const anotherOpenChecklist = (prefix: string, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(openChecklist).map(([path, text]) => [
      path,
      text.replaceAll('3f0f7f10', prefix).replaceAll('2026 Example', name),
    ]),
  )
