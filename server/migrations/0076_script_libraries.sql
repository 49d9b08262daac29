-- A library of scripts has the name of what it is: what the contract and the panel call scripts was "prompt" in the tables.
alter table prompt rename to script_library;
alter index script_category rename to script_of_category;
alter table prompt_category rename to script_category;
alter table script_category rename column prompt_id to library_id;
alter index prompt_pkey rename to script_library_pkey;
alter index prompt_tenant_id_key rename to script_library_tenant_id_key;
alter index prompt_category_pkey rename to script_category_pkey;
alter index prompt_category_prompt rename to script_category_library;
alter table script_library rename constraint prompt_tenant_id_fkey to script_library_tenant_id_fkey;
alter table script_category rename constraint prompt_category_prompt_id_fkey to script_category_library_id_fkey;
alter policy prompt_seen on script_library rename to script_library_seen;
alter policy prompt_written on script_library rename to script_library_written;
alter policy prompt_category_seen on script_category rename to script_category_seen;
alter policy prompt_category_written on script_category rename to script_category_written;
