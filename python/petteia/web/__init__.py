"""The page: the four games in the browser, from `petteia play`. It needs the extra `petteia[web]`."""
