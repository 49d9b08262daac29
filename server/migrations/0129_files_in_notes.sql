-- Whether a note shows a file is asked for every file that nothing else uses.
create index note_asset_asset on note_asset (asset_id);
