-- A post that may be out when its schedule or approval is taken back: it is not sent again, whatever its network says.
alter table post add column recalled_at timestamptz;
