"""The page: the games in the browser, from `petteia play`. It needs the extra `petteia[web]`."""
